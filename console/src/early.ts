/** Runs before the page is painted: light or dark, as chosen. */
const chosen = localStorage.getItem('theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
