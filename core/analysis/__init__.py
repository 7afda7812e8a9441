"""Analysis of text: folding and the Japanese analyser."""
