export default 'Storage · Admin'
