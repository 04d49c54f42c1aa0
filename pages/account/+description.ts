export default 'Password, second factor and sessions of your account.'
