const search = document.querySelector('#search');

search.addEventListener('input', () => {
  const wanted = search.value.trim().toLowerCase();
  for (const group of document.querySelectorAll('[data-group]')) {
    const entries = [...group.querySelectorAll('[data-find]')];
    for (const entry of entries) entry.hidden = !entry.dataset.find.includes(wanted);
    group.hidden = entries.every((entry) => entry.hidden);
  }
});

search.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  document.querySelector('[data-find]:not([hidden]) a')?.click();
});
