export default 'Delete shared image'
