export default 'Request a song'
