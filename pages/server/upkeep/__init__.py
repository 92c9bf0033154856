"""What a server does unasked: it works ahead for a class, and forgets when all left."""
