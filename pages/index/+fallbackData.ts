export default { threads: null, articles: null, nowPlaying: null, isIncomplete: true }
