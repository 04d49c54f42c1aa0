/** Texts of forms and refusals, which pages do not load with the posts that they show. */
