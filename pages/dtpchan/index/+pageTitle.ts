export default 'DTPChan'
