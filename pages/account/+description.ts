export default 'Change the password of your account.'
