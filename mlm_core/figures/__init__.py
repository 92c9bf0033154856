"""How the concepts are drawn: layout only, every number comes from the concept modules.

Two kinds of figure: charts, which plotly draws in the browser, and drawings of tokens, masks
and matrices, which are small SVG or HTML texts made here, so that they can be clicked, read by
screen readers and saved. Everything that a learner typed is escaped.
"""
