"""What pages take of the server: memory, processor time, the log, Streamlit's inside."""
