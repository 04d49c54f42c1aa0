export default 'Paste Service'
