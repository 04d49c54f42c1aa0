export default 'API'
