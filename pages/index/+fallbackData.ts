export default { threads: null, articles: null, nowPlaying: null, lacks: true }
