export default 'Bans · Admin'
