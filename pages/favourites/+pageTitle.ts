export default 'Favourites'
