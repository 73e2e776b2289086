-- The public interface of the file: every view works in the stock sqlite3 shell, with no extension.

-- One vector a row, sliced out of the blocks.
DROP VIEW IF EXISTS embeddings;
CREATE VIEW embeddings AS
SELECT s.embedder_id,
       s.text_sha256,
       b.dims,
       substr(b.data, s.slot * 4 * b.dims + 1, 4 * b.dims) AS vector
FROM vector_slots AS s
JOIN vector_blocks AS b ON b.embedder_id = s.embedder_id AND b.block = s.block;
