"""What all lessons share; beside the pages themselves the only place that imports streamlit."""

TESTED = "1.67.0"  # of Streamlit; on another version the app runs with less (streamlit_patches)
