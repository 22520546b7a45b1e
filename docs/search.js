// SPDX-License-Identifier: Apache-2.0
//
// The search of the site. mkdocs' own asks the server for its index, which pages opened as files do not have; ours is a
// script (search/index.js, written by docs/site.py), fetched when somebody first searches.
(function () {
  const query = document.getElementById("mkdocs-search-query");
  const results = document.getElementById("mkdocs-search-results");
  const kMost = 30;

  function withIndex(use) {
    if (window.search_index) return use(window.search_index);
    const script = document.createElement("script");
    script.src = `${base_url}/search/index.js`;
    script.onload = () => use(window.search_index);
    document.head.append(script);
  }

  // A section has every word, as the start of one of its own; words in its title count most.
  function score(section, words) {
    let sum = 0;
    for (const word of words) {
      const inTitle = section.title.toLowerCase().includes(word);
      const at = section.text.toLowerCase().search(new RegExp(`(^|[^a-z0-9])${word.replace(/[^\w]/g, "\\$&")}`));
      if (!inTitle && at < 0) return 0;
      sum += inTitle ? 10 : 1;
    }
    return sum;
  }

  function extract(text, word) {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
    return (at > 0 ? "…" : "") + text.slice(at, at + 200) + (at + 200 < text.length ? "…" : "");
  }

  function show(index) {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = index.map((section) => ({section, score: words.length ? score(section, words) : 0}))
      .filter((one) => one.score > 0).sort((a, b) => b.score - a.score).slice(0, kMost);
    results.replaceChildren(...found.map(({section}) => {
      const link = document.createElement("a");
      link.href = `${base_url}/${section.location}`;
      link.textContent = section.title;
      const title = document.createElement("h3");
      title.append(link);
      const text = document.createElement("p");
      text.textContent = extract(section.text, words[0]);
      const article = document.createElement("article");
      article.append(title, text);
      return article;
    }));
    if (words.length && !found.length) results.textContent = "Nothing was found.";
  }

  query.addEventListener("input", () => withIndex(show));
  query.form?.addEventListener("submit", (event) => event.preventDefault());
  results.addEventListener("click", (event) => {
    if (event.target.closest("a")) window.jQuery?.("#mkdocs_search_modal").modal("hide");  // a link into this page
  });
})();
