export default 'DTPChan Admin Login'
