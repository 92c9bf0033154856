"""A word's vector in its sentence: senses, maps, isotropy."""
