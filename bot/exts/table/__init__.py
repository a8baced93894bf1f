"""The table: lobby and care."""
