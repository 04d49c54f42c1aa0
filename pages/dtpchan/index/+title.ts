export default 'DTPChan – Boards'
