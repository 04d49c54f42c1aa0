export default 'Password Generator'
