export default 'Archive'
