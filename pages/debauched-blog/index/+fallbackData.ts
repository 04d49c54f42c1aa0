export default { posts: [], articles: [], threads: [], isIncomplete: true }
