"""The parts of :class:`storage.store.Store`, one subject each."""
