export default { articles: [], isIncomplete: true }
