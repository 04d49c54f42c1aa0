export default 'Appeal a ban'
