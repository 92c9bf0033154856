"""The textbook's numbered equations, as LaTeX: for the lessons that compute them and to look up.

Source: SLP3 chapter 11, Eq 11.1 to 11.13 (11.14 is a sentence with its tags).
"""

EQUATIONS = {
    "11.1": r"\mathrm{head} = \mathrm{softmax}\left(\mathrm{mask}\left("
    r"\frac{QK^\top}{\sqrt{d_k}}\right)\right) V",
    "11.2": r"\mathrm{head} = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right) V",
    "11.3": r"u_i = h_i^L E^\top",
    "11.4": r"y_i = \mathrm{softmax}(u_i)",
    "11.5": r"q_i = \frac{p_i^{\alpha}}{\sum_j p_j^{\alpha}} \quad p_i = \frac{n_i}{\sum_k n_k}",
    "11.6": r"v_s = \frac{1}{n} \sum_{i} v_i \quad \forall v_i \in \mathrm{tokens}(s)",
    "11.7": r"\mathrm{sense}(t) = \mathop{\mathrm{argmax}}_{s \in \mathrm{senses}(t)} \cos(t, v_s)",
    "11.8": r"\mu = \frac{1}{|C|} \sum_{x \in C} x",
    "11.9": r"\sigma = \sqrt{\frac{1}{|C|} \sum_{x \in C} (x - \mu)^2}",
    "11.10": r"z = \frac{x - \mu}{\sigma}",
    "11.11": r"y = \mathrm{softmax}(h_{CLS}^L W_C)",
    "11.12": r"y_i = \mathrm{softmax}(h_i^L W_K)",
    "11.13": r"t_i = \mathop{\mathrm{argmax}}_k (y_i)",
}


def numbered(number: str) -> str:
    """Return an equation with its number at the right; only a display may have one."""
    return rf"{EQUATIONS[number]} \tag{{{number}}}"
