export default 'Recordings of past radio shows by streamer. Play them here or download them.'
