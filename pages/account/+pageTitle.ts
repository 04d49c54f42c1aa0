export default 'Account'
