"""How a figure of mlm_core/figures is shown: as a drawing, a table and files."""
