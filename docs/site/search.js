// The search: names first, then headings, then text. Every word must be there.
const box = document.getElementById("search"), found = document.getElementById("found");

function rank([title, , , text], words) {
  const name = title.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (name === word) sum += 8;
    else if (name.startsWith(word)) sum += 5;
    else if (name.includes(word)) sum += 3;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  return sum / words.length - title.length / 1000;
}

box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = words.length === 0 ? [] : searchIndex.map(row => [rank(row, words), row])
    .filter(([value]) => value > 0).sort((a, b) => b[0] - a[0]).slice(0, 30);
  found.replaceChildren(...hits.map(([, [title, where, address]]) => {
    const item = document.createElement("li"), link = document.createElement("a");
    const small = document.createElement("small");
    link.href = address;
    link.textContent = title;
    small.textContent = " " + where;
    item.append(link, small);
    return item;
  }));
});
