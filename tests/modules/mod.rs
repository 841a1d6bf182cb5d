//! Which modules of a crate import which, read off its source. Tests within the source do not count, nor
//! does a `pub use` by which a module only passes on what its own submodules define.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Names from the root of the crate: a module, or something in one.
type Names = Vec<String>;

/// The modules of a crate, each with the modules that it imports from.
pub(crate) struct Modules(BTreeMap<Names, BTreeSet<Names>>);

impl Modules {
    /// The modules below this folder; its `lib.rs` is the root.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut sources = BTreeMap::new();
        read(folder, &Names::new(), &mut sources);
        Self::of(&sources)
    }

    /// The modules with these texts.
    pub(crate) fn of(sources: &BTreeMap<Names, String>) -> Self {
        let tokens = sources.iter().map(|(module, text)| (module.clone(), tokens(text)));
        let crate_ = Source(tokens.map(|(module, tokens)| (module, Paths::of(&tokens))).collect());
        let imports = |module: &Names| {
            let absolute = |path| crate_.absolute(module, path);
            let passed_on = crate_.0[module].passed_on.iter().filter_map(absolute);
            // Within the module: only listed.
            let passed_on = passed_on.filter(|to| !to.starts_with(module));
            let used = crate_.0[module].used.iter().filter_map(absolute);
            let all = used.chain(passed_on).map(|path| crate_.definer(&path));
            all.filter(|to| to != module).collect()
        };
        Self(crate_.0.keys().map(|module| (module.clone(), imports(module))).collect())
    }

    /// The same with all modules of a folder as one; without the root, which only lists the others.
    pub(crate) fn folders(&self) -> Self {
        let mut folders: BTreeMap<Names, BTreeSet<Names>> = BTreeMap::new();
        for (from, all) in self.0.iter().filter(|(from, _)| !from.is_empty()) {
            let others = all.iter().filter(|to| !to.is_empty() && to[0] != from[0]);
            let others = others.map(|to| to[..1].to_vec());
            folders.entry(from[..1].to_vec()).or_default().extend(others);
        }
        Self(folders)
    }

    /// Everything that is imported from on a way that begins at this module.
    pub(crate) fn reached(&self, from: &str) -> BTreeSet<String> {
        let from = from.split('/').map(String::from).collect();
        self.reached_from(&from).iter().map(|to| to.join("/")).collect()
    }

    /// Groups of modules in which each is reached from each.
    pub(crate) fn circles(&self) -> BTreeSet<Vec<String>> {
        let reached: BTreeMap<_, _> =
            self.0.keys().map(|from| (from, self.reached_from(from))).collect();
        let circle = |from: &Names| {
            let others = reached[from].iter().filter(|to| reached[to].contains(from));
            others.map(|to| to.join("/")).collect::<Vec<_>>()
        };
        self.0.keys().map(circle).filter(|circle| circle.len() > 1).collect()
    }

    fn reached_from(&self, from: &Names) -> BTreeSet<Names> {
        let (mut reached, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(module) = left.pop() {
            left.extend(self.0[module].iter().filter(|&to| reached.insert(to.clone())));
        }
        reached
    }
}

fn read(folder: &Path, module: &Names, sources: &mut BTreeMap<Names, String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let child = [&module[..], std::slice::from_ref(&name)].concat();
        if path.is_dir() {
            read(&path, &child, sources);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let module = if name == "lib" { Names::new() } else { child };
            sources.insert(module, fs::read_to_string(&path).expect("a text"));
        }
    }
}

/// The paths that each module names.
struct Source(BTreeMap<Names, Paths>);

impl Source {
    /// A path from the root of the crate; `None` for one that begins elsewhere, or at an imported name.
    fn absolute(&self, module: &Names, path: &Names) -> Option<Names> {
        let child = || [&module[..], &path[..1]].concat();
        let ups = path.iter().take_while(|name| *name == "super").count();
        match &*path[0] {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([&module[..], &path[1..]].concat()),
            "super" => Some([&module[..module.len() - ups], &path[ups..]].concat()),
            _ if self.0.contains_key(&child()) => Some([&module[..], path].concat()),
            _ => None,
        }
    }

    /// The module that defines what a path leads to, through the imports of others.
    fn definer(&self, path: &Names) -> Names {
        let depth = (0..=path.len()).rev().find(|&depth| self.0.contains_key(&path[..depth]));
        let (module, rest) = path.split_at(depth.expect("the root is a module"));
        let module = module.to_vec();
        let Some(name) = rest.first() else { return module };
        let import = self.0[&module].imports.get(name);
        let import = import.and_then(|import| self.absolute(&module, import));
        match import {
            Some(import) if import[..] != path[..=module.len()] => {
                self.definer(&[&import[..], &rest[1..]].concat())
            }
            _ => module,
        }
    }
}

/// The paths of one file.
#[derive(Default)]
struct Paths {
    /// The names that it imports, with their paths.
    imports: BTreeMap<String, Names>,
    /// The paths that its code uses.
    used: Vec<Names>,
    /// The paths of a `pub use` whose names its code does not use.
    passed_on: Vec<Names>,
}

impl Paths {
    fn of(tokens: &[String]) -> Self {
        let (mut paths, mut nth) = (Self::default(), 0);
        let (mut names, mut imported) = (BTreeSet::new(), Vec::new());
        while nth < tokens.len() {
            // `use<'a>` of a type is no import.
            if tokens[nth] == "use" && tokens[nth + 1] != "<" {
                // `pub use`, `pub(crate) use`.
                let is_public = nth > 0 && ["pub", ")"].contains(&&*tokens[nth - 1]);
                let mut trees = Vec::new();
                nth += 1;
                import(tokens, &mut nth, Names::new(), &mut trees);
                imported.extend(trees.into_iter().map(|tree| (is_public, tree)));
            } else {
                let mut path = vec![tokens[nth].clone()];
                while tokens.get(nth + 1).is_some_and(|next| next == "::") {
                    nth += 2;
                    path.extend(tokens.get(nth).cloned());
                }
                names.insert(path[0].clone());
                if path.len() > 1 {
                    paths.used.push(path);
                }
                nth += 1;
            }
        }
        for (is_public, (name, path)) in imported {
            let only_listed = is_public && !names.contains(&name);
            let list = if only_listed { &mut paths.passed_on } else { &mut paths.used };
            list.push(path.clone());
            paths.imports.insert(name, path);
        }
        paths
    }
}

/// Reads one tree of a `use`, up to its end or to the next tree beside it: names with their paths.
fn import(tokens: &[String], nth: &mut usize, mut path: Names, trees: &mut Vec<(String, Names)>) {
    loop {
        match &*tokens[*nth] {
            "{" => {
                while tokens[*nth] != "}" {
                    *nth += 1;
                    if tokens[*nth] != "}" {
                        import(tokens, nth, path.clone(), trees);
                    }
                }
                *nth += 1;
                return;
            }
            "," | "}" | ";" => {
                trees.push((path.last().cloned().unwrap_or_default(), path));
                return;
            }
            "as" => {
                trees.push((tokens[*nth + 1].clone(), path));
                *nth += 2;
                return;
            }
            "::" => {}
            "self" if !path.is_empty() => {}
            name => path.push(name.into()),
        }
        *nth += 1;
    }
}

/// The words of a source, `::` and other signs: without comments, texts and the tests at its end.
fn tokens(text: &str) -> Vec<String> {
    let tests = ["\n#[cfg(test)]\nmod ", "\n#[cfg(all(test, feature = \"std\"))]\nmod "];
    let end = tests.iter().filter_map(|tests| text.find(tests)).min().unwrap_or(text.len());
    let (mut tokens, mut rest) = (Vec::new(), &text[..end]);
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            text_len(rest)
        } else if first == '\'' {
            // A character, or a lifetime.
            let mut chars =
                rest.char_indices().skip(if rest[1..].starts_with('\\') { 3 } else { 2 });
            chars.next().filter(|next| next.1 == '\'').map_or(1, |next| next.0 + 1)
        } else if is_word(first) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(rest[..len].into());
            len
        } else {
            let len = if rest.starts_with("::") { 2 } else { first.len_utf8() };
            if !first.is_whitespace() {
                tokens.push(rest[..len].into());
            }
            len
        };
        rest = &rest[len..];
    }
    tokens
}

/// The length of the text in quotes that this begins with.
fn text_len(source: &str) -> usize {
    let mut escaped = true;
    let end = source.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(source.len(), |end| end + 1)
}
