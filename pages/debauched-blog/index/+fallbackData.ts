export default { posts: [], articles: [], isIncomplete: true }
