"""Tests may import each other's helpers as tests.<name>."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
