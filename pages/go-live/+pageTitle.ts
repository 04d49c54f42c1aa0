export default 'Go live'
