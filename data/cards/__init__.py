"""Character Cards (V1, V2, V3 as PNG, APNG, JSON or CHARX) into packs and back."""
