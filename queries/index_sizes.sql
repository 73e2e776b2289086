-- What each index holds and how many bytes it takes: chunk texts, postings, texts changed for FTS5, vectors.
SELECT i.index_id,
       substr(i.recipe, 1, 80) AS recipe,
       i.num_chunks,
       (SELECT round(avg(c.token_count), 1) FROM chunks AS c WHERE c.index_id = i.index_id) AS mean_tokens,
       (SELECT total(length(CAST(c.text AS BLOB)) + coalesce(length(CAST(c.search_text AS BLOB)), 0))
        FROM chunks AS c
        WHERE c.index_id = i.index_id) AS text_bytes,
       (SELECT total(length(p.term) + length(p.data))
        FROM lexical_analyses AS a
        JOIN postings AS p ON p.analysis_id = a.analysis_id
        WHERE a.index_id = i.index_id) AS posting_bytes,
       (SELECT total(length(CAST(t.text AS BLOB)))
        FROM lexical_analyses AS a
        JOIN lexical_texts AS t ON t.analysis_id = a.analysis_id
        WHERE a.index_id = i.index_id) AS changed_text_bytes,
       (SELECT total(v.num_vectors * e.dims * 4)
        FROM vector_indexes AS v
        JOIN embedders AS e ON e.embedder_id = v.embedder_id
        WHERE v.index_id = i.index_id) AS vector_bytes,
       round(i.build_ms, 1) AS build_ms
FROM indexes AS i
ORDER BY i.index_id;
