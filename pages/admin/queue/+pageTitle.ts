export default 'Queue · Admin'
