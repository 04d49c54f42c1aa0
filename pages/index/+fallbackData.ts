export default { threads: null, articles: null, activity: null, nextShow: null, nowPlaying: null, isIncomplete: true }
