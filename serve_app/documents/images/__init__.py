"""Turn picture files and rendered pages into upright, evenly lit pages."""
