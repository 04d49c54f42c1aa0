export default 'Delete paste'
