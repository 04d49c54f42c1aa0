export default 'Boards · Admin'
