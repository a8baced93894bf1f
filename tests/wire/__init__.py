"""A Discord on the loopback interface, and tests that run the real client against it."""
