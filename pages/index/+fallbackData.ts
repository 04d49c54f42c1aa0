export default { threads: null, articles: null, activity: null, nowPlaying: null, isIncomplete: true }
