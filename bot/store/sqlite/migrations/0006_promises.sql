-- What the promises to players need: each subject under its own heading.

-- Seals and log chains


-- Time between looks, for purges


-- Open hands


-- Fair play around lost places
