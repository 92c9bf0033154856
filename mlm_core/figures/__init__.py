"""How the concepts are drawn: layout only, every number comes from the concept modules.

Two kinds of figure: charts, which plotly draws in the browser, and drawings of tokens, masks
and matrices, which are small SVG or HTML texts written here, so that they can be clicked,
read aloud and kept as a file. Everything a learner typed is escaped on its way in.
"""
