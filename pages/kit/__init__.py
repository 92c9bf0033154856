"""What a lesson is written with: all that it imports of the app. README.md has the contract."""
