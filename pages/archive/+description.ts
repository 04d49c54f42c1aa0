export default 'Recordings of past radio shows by streamer: listen again here, or download them.'
